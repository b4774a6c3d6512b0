class Field:
    def __init__(self, default_factory):
        self.make = default_factory
