// Every C++ exception that Python code may meet is translated here, and nowhere else.
#include <cerrno>
#include <system_error>

#include "bindings.h"
#include "okapi/eval/brain.h"
#include "okapi/samples/packed.h"
#include "okapi/utils/bytes.h"

namespace okapi::bindings {

namespace {

// Python counts characters where C++ counts bytes.
std::size_t characters(std::string_view utf8, std::size_t bytes) {
    std::size_t count = 0;
    for (char c : utf8.substr(0, bytes)) count += (c & 0xC0) != 0x80;
    return count;
}

template <class... Args> void raise(const char* name, Args&&... args) {
    const nb::object type = nb::module_::import_("okapi.errors").attr(name);
    const nb::object error = type(std::forward<Args>(args)...);
    PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const InvalidFen& e) {
        raise("InvalidFen", e.fen, e.field, characters(e.fen, e.start), characters(e.fen, e.end), e.expected);
    } catch (const InvalidBrain& e) {
        raise("InvalidBrain", e.what());
    } catch (const InvalidPosition& e) {
        raise("InvalidPosition", e.what());
    } catch (const InvalidStore& e) {
        raise("InvalidStore", e.what());
    } catch (const std::system_error& e) {
        errno = e.code().value();
        PyErr_SetFromErrno(PyExc_OSError);
    }
}

}  // namespace

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

void check_signals() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace okapi::bindings
