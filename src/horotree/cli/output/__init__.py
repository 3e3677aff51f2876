"""What commands write: messages, reports, pages, pictures, and files."""
