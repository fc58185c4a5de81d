{"schema":"kerntime/2"}
