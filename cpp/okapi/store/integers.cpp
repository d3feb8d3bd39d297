#include "okapi/store/integers.h"

namespace okapi {

IntegerEncoder::IntegerEncoder(const IntegerCounts& counts, BitWriter& out) {
    std::vector<std::uint8_t> lengths = huffman::lengths(counts.counts());
    while (!lengths.empty() && lengths.back() == 0) lengths.pop_back();
    out.write(lengths.size(), 6);
    for (std::uint8_t length : lengths) out.write(length, 4);
    code_ = huffman::Encoder<kMostBits + 1>(lengths);
}

IntegerDecoder::IntegerDecoder(BitReader& in) {
    const std::size_t size = std::size_t(in.read(6));
    if (size > kMostBits + 1) throw InvalidStore("a column has integers that are too long");
    std::vector<std::uint8_t> lengths(size);
    for (std::uint8_t& length : lengths) length = std::uint8_t(in.read(4));
    code_ = huffman::Decoder<kMostBits + 1>(lengths);
}

void write_column(BitWriter& out, std::span<const std::uint64_t> values) {
    IntegerCounts counts;
    for (std::uint64_t value : values) counts.add(value);
    const IntegerEncoder encoder(counts, out);
    for (std::uint64_t value : values) encoder.write(out, value);
}

std::vector<std::uint64_t> read_column(BitReader& in, std::size_t count, std::uint64_t most) {
    const IntegerDecoder decoder(in);
    if (count > 0 && !decoder.exists()) throw InvalidStore("a column is empty");
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) {
        value = decoder.read(in);
        if (value > most) throw InvalidStore("a column has an integer that is too large");
    }
    if (in.overran()) throw InvalidStore("a column is cut short");
    return values;
}

}  // namespace okapi
