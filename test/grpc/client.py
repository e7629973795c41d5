"""A session of vtr's API by Python's gRPC. Arguments: the socket, then files with the descriptors of vtr.proto and of what it imports."""

import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

pool = descriptor_pool.DescriptorPool()
imported = []
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        descriptor = descriptor_pb2.FileDescriptorProto.FromString(file.read())
    # What made the descriptors leaves them out.
    descriptor.ClearField("dependency")
    descriptor.dependency.extend(imported)
    # It names the entries of maps in a way that Python refuses: their one field, the environment, is left out.
    for one in descriptor.message_type:
        maps = [nested for nested in one.nested_type if nested.options.map_entry]
        for nested in maps:
            one.nested_type.remove(nested)
        for field in [field for field in one.field if any(field.type_name.endswith(nested.name) for nested in maps)]:
            one.field.remove(field)
    pool.Add(descriptor)
    imported.append(descriptor.name)


def message(name):
    descriptor = pool.FindMessageTypeByName("vtr." + name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


channel = grpc.insecure_channel("unix:" + sys.argv[1])


def call(method, **fields):
    answer = channel.unary_unary(
        "/vtr.VTR/" + method,
        request_serializer=lambda request: request.SerializeToString(),
        response_deserializer=message(method + "Response").FromString,
    )
    return answer(message(method + "Request")(**fields), timeout=60)


session = call("Spawn", name="py", command="echo from python; read x; exit 5").session
print(session.name, session.status, session.cols, session.rows, session.created_at.seconds > 0)
subscribe = channel.unary_stream(
    "/vtr.VTR/Subscribe",
    request_serializer=lambda request: request.SerializeToString(),
    response_deserializer=message("SubscribeEvent").FromString,
)
kinds = []
for event in subscribe(message("SubscribeRequest")(name="py", include_screen_updates=True), timeout=60):
    kind = event.WhichOneof("event")
    if not kinds:
        call("SendText", name="py", text="\n")
    kinds.append(kind)
print(kinds[0], kinds[-2], kinds[-1], kinds.count("session_exited"), event.session_exited.exit_code)
screen = call("GetScreen", name="py")
print("".join(cell.char for cell in screen.screen_rows[0].cells).rstrip())
print([(match.line_number, match.line) for match in call("Grep", name="py", pattern="python").matches])
try:
    call("Info", name="missing")
except grpc.RpcError as error:
    print(error.code().name, error.details().split(":")[0])
try:
    call("SendText", name="py", text="x")
except grpc.RpcError as error:
    print(error.code().name, error.details().split(":")[0])
call("Remove", name="py")
print(len(call("List").sessions))
