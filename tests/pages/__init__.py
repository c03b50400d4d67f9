"""The pages, opened without a browser."""
