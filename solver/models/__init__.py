"""What the engines are made of: positions as bytes for the kernel, and the model over events."""
