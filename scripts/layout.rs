//! Writes the file in which TypeScript reads the layout of the boundary: `npm run layout`.

use palimpsest::layout;

fn main() -> std::io::Result<()> {
    std::fs::write(layout::FILE, layout::typescript())
}
