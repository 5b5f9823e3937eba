/* nvtx3.hpp: ranges and marks of NVTX in C++, of what programs write of it.
 *
 *     nvtx3::scoped_range r{"load"};                          a range as long as r lives
 *     struct io { static constexpr char const *name{"io"}; };
 *     nvtx3::scoped_range_in<io> s{"read", nvtx3::rgb{0, 255, 0}};
 *     NVTX3_FUNC_RANGE();                                     a range of the function's name
 */
#ifndef WARPGLASS_NVTX3_HPP
#define WARPGLASS_NVTX3_HPP

#include "nvToolsExt.h"

#include <string>
#include <type_traits>
#include <utility>

namespace nvtx3 {
inline namespace v1 {

class domain {
  public:
    struct global {};
    template <typename __D = global> static domain const &get() {
        static domain const __one{__make(static_cast<__D *>(nullptr))};
        return __one;
    }
    operator nvtxDomainHandle_t() const noexcept { return __handle; }
    domain(domain const &) = delete;
    domain &operator=(domain const &) = delete;

  private:
    explicit domain(nvtxDomainHandle_t __h) noexcept : __handle(__h) {}
    static nvtxDomainHandle_t __make(global *) noexcept { return nullptr; }
    template <typename __D> static nvtxDomainHandle_t __make(__D *) noexcept { return __create(__D::name); }
    static nvtxDomainHandle_t __create(char const *__name) noexcept { return nvtxDomainCreateA(__name); }
    static nvtxDomainHandle_t __create(wchar_t const *__name) noexcept { return nvtxDomainCreateW(__name); }
    nvtxDomainHandle_t __handle;
};

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type __r, component_type __g, component_type __b) noexcept
        : red(__r), green(__g), blue(__b) {}
    component_type red, green, blue;
};
struct argb final : rgb {
    constexpr argb(component_type __a, component_type __r, component_type __g, component_type __b) noexcept
        : rgb(__r, __g, __b), alpha(__a) {}
    component_type alpha;
};
class color {
  public:
    using value_type = uint32_t;
    constexpr explicit color(value_type __hex) noexcept : __value(__hex) {}
    constexpr color(argb __c) noexcept
        : __value(uint32_t(__c.alpha) << 24 | uint32_t(__c.red) << 16 | uint32_t(__c.green) << 8 | __c.blue) {
    }
    constexpr color(rgb __c) noexcept : color(argb(0xff, __c.red, __c.green, __c.blue)) {}
    constexpr value_type get_value() const noexcept { return __value; }
    constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

  private:
    value_type __value;
};

class category {
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type __i) noexcept : __id(__i) {}
    constexpr id_type get_id() const noexcept { return __id; }

  private:
    id_type __id;
};
template <typename __D = domain::global> class named_category_in final : public category {
  public:
    named_category_in(id_type __i, char const *__name) noexcept : category(__i) {
        nvtxDomainNameCategoryA(domain::get<__D>(), __i, __name);
    }
    named_category_in(id_type __i, wchar_t const *__name) noexcept : category(__i) {
        nvtxDomainNameCategoryW(domain::get<__D>(), __i, __name);
    }
    template <typename __C> static named_category_in const &get() {
        static named_category_in const __one(__C::id, __C::name);
        return __one;
    }
};
using named_category = named_category_in<domain::global>;

template <typename __D = domain::global> class registered_string_in {
  public:
    explicit registered_string_in(char const *__text) noexcept
        : __handle(nvtxDomainRegisterStringA(domain::get<__D>(), __text)) {}
    explicit registered_string_in(std::string const &__text) noexcept
        : registered_string_in(__text.c_str()) {}
    explicit registered_string_in(wchar_t const *__text) noexcept
        : __handle(nvtxDomainRegisterStringW(domain::get<__D>(), __text)) {}
    explicit registered_string_in(std::wstring const &__text) noexcept
        : registered_string_in(__text.c_str()) {}
    template <typename __M> static registered_string_in const &get() {
        static registered_string_in const __one(__M::message);
        return __one;
    }
    nvtxStringHandle_t get_handle() const noexcept { return __handle; }

  private:
    nvtxStringHandle_t __handle;
};
using registered_string = registered_string_in<domain::global>;

class message {
  public:
    using value_type = nvtxMessageValue_t;
    message(char const *__text) noexcept : __type(NVTX_MESSAGE_TYPE_ASCII) { __value.ascii = __text; }
    message(std::string const &__text) noexcept : message(__text.c_str()) {}
    message(std::string &&) = delete; /* it would be gone before it is read */
    message(wchar_t const *__text) noexcept : __type(NVTX_MESSAGE_TYPE_UNICODE) { __value.unicode = __text; }
    message(std::wstring const &__text) noexcept : message(__text.c_str()) {}
    message(std::wstring &&) = delete;
    template <typename __D>
    message(registered_string_in<__D> const &__text) noexcept : message(__text.get_handle()) {}
    message(nvtxStringHandle_t __handle) noexcept : __type(NVTX_MESSAGE_TYPE_REGISTERED) {
        __value.registered = __handle;
    }
    value_type get_value() const noexcept { return __value; }
    nvtxMessageType_t get_type() const noexcept { return __type; }

  private:
    nvtxMessageType_t __type;
    value_type __value;
};

class payload {
  public:
    using value_type = decltype(nvtxEventAttributes_t::payload);
    explicit payload(int64_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_INT64) { __value.llValue = __v; }
    explicit payload(int32_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_INT32) { __value.iValue = __v; }
    explicit payload(uint64_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
        __value.ullValue = __v;
    }
    explicit payload(uint32_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
        __value.uiValue = __v;
    }
    explicit payload(float __v) noexcept : __type(NVTX_PAYLOAD_TYPE_FLOAT) { __value.fValue = __v; }
    explicit payload(double __v) noexcept : __type(NVTX_PAYLOAD_TYPE_DOUBLE) { __value.dValue = __v; }
    value_type get_value() const noexcept { return __value; }
    nvtxPayloadType_t get_type() const noexcept { return __type; }

  private:
    nvtxPayloadType_t __type;
    value_type __value;
};

/* What a range or a mark has, in any order; of several of one kind the first counts. */
class event_attributes {
  public:
    using value_type = nvtxEventAttributes_t;
    event_attributes() noexcept : __event() {
        __event.version = NVTX_VERSION;
        __event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    }
    template <typename... __Args>
    explicit event_attributes(category const &__c, __Args const &...__rest) noexcept
        : event_attributes(__rest...) {
        __event.category = __c.get_id();
    }
    template <typename... __Args>
    explicit event_attributes(color const &__c, __Args const &...__rest) noexcept
        : event_attributes(__rest...) {
        __event.color = __c.get_value();
        __event.colorType = __c.get_type();
    }
    template <typename... __Args>
    explicit event_attributes(payload const &__p, __Args const &...__rest) noexcept
        : event_attributes(__rest...) {
        __event.payload = __p.get_value();
        __event.payloadType = __p.get_type();
    }
    template <typename... __Args>
    explicit event_attributes(message const &__m, __Args const &...__rest) noexcept
        : event_attributes(__rest...) {
        __event.message = __m.get_value();
        __event.messageType = __m.get_type();
    }
    value_type const *get() const noexcept { return &__event; }

  private:
    value_type __event;
};

template <typename __D = domain::global> class scoped_range_in {
  public:
    explicit scoped_range_in(event_attributes const &__e) noexcept {
        nvtxDomainRangePushEx(domain::get<__D>(), __e.get());
    }
    template <typename... __Args>
    explicit scoped_range_in(__Args const &...__args) noexcept
        : scoped_range_in(event_attributes{__args...}) {}
    scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
    ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<__D>()); }
    scoped_range_in(scoped_range_in const &) = delete;
    scoped_range_in &operator=(scoped_range_in const &) = delete;
    void *operator new(std::size_t) = delete; /* ranges of a thread nest */
};
using scoped_range = scoped_range_in<domain::global>;

struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr explicit range_handle(value_type __id) noexcept : __value(__id) {}
    constexpr range_handle() noexcept = default;
    constexpr range_handle(std::nullptr_t) noexcept {}
    constexpr explicit operator bool() const noexcept { return __value != 0; }
    constexpr value_type get_value() const noexcept { return __value; }

  private:
    value_type __value{};
};
inline constexpr bool operator==(range_handle __a, range_handle __b) noexcept {
    return __a.get_value() == __b.get_value();
}
inline constexpr bool operator!=(range_handle __a, range_handle __b) noexcept { return !(__a == __b); }

template <typename __D = domain::global> range_handle start_range_in(event_attributes const &__e) noexcept {
    return range_handle{nvtxDomainRangeStartEx(domain::get<__D>(), __e.get())};
}
template <typename __D = domain::global, typename... __Args>
range_handle start_range_in(__Args const &...__args) noexcept {
    return start_range_in<__D>(event_attributes{__args...});
}
template <typename... __Args> range_handle start_range(__Args const &...__args) noexcept {
    return start_range_in<domain::global>(event_attributes{__args...});
}
inline range_handle start_range(event_attributes const &__e) noexcept {
    return start_range_in<domain::global>(__e);
}
template <typename __D = domain::global> void end_range_in(range_handle __r) noexcept {
    nvtxDomainRangeEnd(domain::get<__D>(), __r.get_value());
}
inline void end_range(range_handle __r) noexcept { end_range_in<domain::global>(__r); }

template <typename __D = domain::global> class unique_range_in {
  public:
    explicit unique_range_in(event_attributes const &__e) noexcept : __handle(start_range_in<__D>(__e)) {}
    template <typename... __Args>
    explicit unique_range_in(__Args const &...__args) noexcept
        : unique_range_in(event_attributes{__args...}) {}
    unique_range_in() noexcept : unique_range_in(event_attributes{}) {}
    unique_range_in(unique_range_in &&__other) noexcept : __handle(__other.__handle) {
        __other.__handle = nullptr;
    }
    unique_range_in &operator=(unique_range_in &&__other) noexcept {
        std::swap(__handle, __other.__handle);
        return *this;
    }
    ~unique_range_in() noexcept {
        if (__handle) end_range_in<__D>(__handle);
    }

  private:
    range_handle __handle;
};
using unique_range = unique_range_in<domain::global>;

template <typename __D = domain::global> void mark_in(event_attributes const &__e) noexcept {
    nvtxDomainMarkEx(domain::get<__D>(), __e.get());
}
template <typename __D = domain::global, typename... __Args> void mark_in(__Args const &...__args) noexcept {
    mark_in<__D>(event_attributes{__args...});
}
inline void mark(event_attributes const &__e) noexcept { mark_in<domain::global>(__e); }
template <typename... __Args> void mark(__Args const &...__args) noexcept {
    mark_in<domain::global>(event_attributes{__args...});
}

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE_IN(D)                                                                               \
    static ::nvtx3::event_attributes const __nvtx3_function{                                                 \
        ::nvtx3::registered_string_in<D>(static_cast<char const *>(__func__))};                              \
    ::nvtx3::scoped_range_in<D> const __nvtx3_range { __nvtx3_function }
#define NVTX3_FUNC_RANGE() NVTX3_FUNC_RANGE_IN(::nvtx3::domain::global)

#endif
