import { type Category, categories as names } from '@muripo/contract/enums'

/** The names of the categories of applications by the stored words, which are the English names. */
export const categories = Object.fromEntries(names.map((name) => [name, name])) as Readonly<
  Record<Category, string>
>
