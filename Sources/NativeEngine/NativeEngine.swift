// NativeEngine begins here.
