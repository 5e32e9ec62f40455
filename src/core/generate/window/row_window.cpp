// Windows of mazes whose rows are independent: see row_strips.hpp and window.hpp.
#include "../shared/row_strips.hpp"

namespace meiro::rows {
namespace {

// The own bytes of rows, one after the other, with the column beside the window that decides walls
// of its first or last one.
class OwnRows {
public:
    OwnRows(const Window& window, const AnyRule& rule, Control& control)
        : window_(window), rule_(rule), control_(control) {}

    // Makes a row; its bytes, from the window's first column on, hold until the next but one.
    const std::uint8_t* make(Index row) {
        const auto [rows, cols] = window_.whole;
        at_ = 1 - at_;
        std::uint8_t* const bytes = bytes_.data() + at_ * stride_;
        std::uint8_t* const own = bytes + window_pad + 1;  // of column left_
        if (row < 0 || row >= rows) {
            polled_fill(bytes, stride_, 0, control_);
        } else {
            const Index height = std::max<Index>(1, strip_cells / cols), lane = row / height;
            const Index first = lane * height, begin = (row - first) * cols;
            rule_.fill(rule_.rule,
                       {static_cast<std::uint64_t>(lane), first, std::min(height, rows - first),
                        cols, own, begin + left_, begin + right_},
                       control_);
            own[-1] = own[right_ - left_] = 0;  // nothing is open beyond the border
        }
        return own + (window_.first.col - left_);
    }

private:
    const Window& window_;
    const AnyRule& rule_;
    Control& control_;
    const Index left_ = window_.first.col - (rule_.before && window_.first.col > 0 ? 1 : 0);
    const Index right_ = std::min(window_.whole.cols, window_.first.col + window_.shape.cols + 1);
    const Index stride_ = window_.shape.cols + 2 + 2 * window_pad;
    Index at_ = 0;
    Buffer<std::uint8_t> bytes_{2 * stride_};
};

}  // namespace

void rows_window(const Window& window, const AnyRule& rule) {
    const auto [height, width] = window.shape;
    by_shares(height, 16, window.control, window.threads,
              [&, width = width](Index from, Index to, Control& worker) {
                  OwnRows rows(window, rule, worker);
                  const Index first = window.first.row;
                  const std::uint8_t* held = rows.make(first + from - (rule.above ? 1 : 0));
                  for (Index r = from; r < to; ++r) {
                      const std::uint8_t* const made = rows.make(first + r + (rule.above ? 0 : 1));
                      const std::uint8_t* const own = rule.above ? made : held;
                      const std::uint8_t* const next = rule.above ? held : made;
                      const std::uint8_t* const side = own + (rule.before ? -1 : 1);
                      std::uint8_t* const out = window.out + r * width;
                      by_pieces(width, worker, [&](Index begin, Index end) {
                          for (Index c = begin; c < end; ++c)
                              out[c] = joined(own[c], side[c], next[c], rule.before, rule.above);
                          worker.poll((end - begin) / 4);
                          worker.done(end - begin);
                      });
                      held = made;
                  }
              });
}

}  // namespace meiro::rows
