"""The systems that `asktopic bench` measures, each in a process of its own."""
