// Files of which the headers say what is counted: images with their sides, PDFs with their pages.

/** A PNG of a size, with a number in it that no other has, and as many bytes as asked for. */
export function png(width, height, number = 0, bytes = 64) {
  const file = Buffer.alloc(Math.max(64, bytes));
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(file);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  file.writeUInt16BE(0x0806, 24);
  file.writeUInt32BE(number, 40);
  return file.toString('base64');
}

/** A JPEG of a size, behind a segment of an application. */
export function jpeg(width, height, number = 0) {
  const file = Buffer.alloc(96);
  Buffer.from('ffd8ffe00010', 'hex').copy(file);
  file.writeUInt32BE(number, 8);
  Buffer.from('ffc0001108', 'hex').copy(file, 20);
  file.writeUInt16BE(height, 25);
  file.writeUInt16BE(width, 27);
  return file.toString('base64');
}

/** A PDF with as many pages, each an object of its own. */
export function pdf(pages, number = 0) {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 3} 0 obj <</Type /Page /Parent 2 0 R>> endobj`);
  const tree = `2 0 obj <</Type /Pages /Count ${pages} /Kids [${kids.map((_, page) => `${page + 3} 0 R`).join(' ')}]>> endobj`;
  return Buffer.from(`%PDF-1.4\n% ${number}\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n${tree}\n${kids.join('\n')}\n%%EOF`).toString(
    'base64',
  );
}
