kerntime --version
