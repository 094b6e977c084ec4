declare module '*?highlight' {
  /** The file's text, and the same text with its colours as markup. */
  const sample: { readonly text: string; readonly html: string }
  export default sample
}
