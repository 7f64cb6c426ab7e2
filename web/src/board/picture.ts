// PNG export of the board.

/** Style properties that the pieces and the board take from the page. */
const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "opacity",
  "font-size",
  "text-anchor",
  "font-family",
  "transform",
];
const SCALE = 1.2;

/** A PNG of the board as it is shown. */
export async function pictureOf(board: SVGSVGElement): Promise<Blob> {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const shown = board.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, index) => {
    const style = getComputedStyle(shown[index]!);
    for (const name of STYLES) element.style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = board.viewBox.baseVal;
  copy.setAttribute("width", String(width * SCALE));
  copy.setAttribute("height", String(height * SCALE));
  const source = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
