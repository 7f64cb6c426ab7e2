// Files for the visitor.

export function save(bytes: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** `甲-乙-2026.11.17`, without characters that file systems refuse. */
export function fileName(tags: [string, string][]): string {
  const tag = (name: string) => tags.find(([known]) => known === name)?.[1] ?? "";
  const parts = ["Red", "Black", "Date"].map(tag).map((text) => text.replace(/[^\p{L}\p{N}. ]/gu, "").trim());
  return parts.filter(Boolean).join("-").slice(0, 80) || "chuhe";
}
