"""What a word on the command line names: deals, and games as other programs tell them."""
