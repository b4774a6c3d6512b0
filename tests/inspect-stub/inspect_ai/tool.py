import typing


class ToolError(Exception):
    def __init__(self, message):
        super().__init__(message)
        self.message = message


class ToolParams:
    def __init__(self, type="object", properties=None, required=None, additionalProperties=False):
        assert type == "object"
        self.properties, self.required = properties or {}, required or []


class ToolDef:
    def __init__(self, tool, name=None, description=None, parameters=None, parallel=None):
        # Inspect passes arguments on unchecked to a function that takes `**kwargs: Any`.
        assert typing.get_type_hints(tool)["kwargs"] is typing.Any
        assert isinstance(parameters, ToolParams) and name and description
        self.tool, self.name, self.description, self.parameters = tool, name, description, parameters
