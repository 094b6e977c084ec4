interface Form {
  getInputNode(field: string): HTMLElement | null
}

/** Puts the cursor where the first thing is to be mended. */
export const focusFirst =
  (form: Form) =>
  (errors: Readonly<Record<string, unknown>>): void =>
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
