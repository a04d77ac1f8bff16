"""Independent models: recipe and call in, expected outcomes out. Never imports or resembles ``reference_impl``."""
