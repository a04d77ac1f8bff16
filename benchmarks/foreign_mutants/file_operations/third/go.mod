module hunt3fileops

go 1.21
