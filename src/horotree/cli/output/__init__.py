"""Output of commands: messages, reports, pages, pictures, files."""
