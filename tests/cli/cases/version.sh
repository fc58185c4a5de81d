kerntime --version
kerntime -V
