import { DEFAULT_CATEGORY } from '@muripo/contract/enums'
import { useState } from 'react'
import { Combobox } from '../../components/ui/combobox.tsx'
import { categoryOf, matchingCategories } from './list-filters.ts'
import { useApplicationsText, useCategoryName } from './text.ts'

interface CategoryInputProps {
  readonly value: string
  readonly onChange: (category: string) => void
  readonly error: string | undefined
}

export function CategoryInput({ value, onChange, error }: CategoryInputProps) {
  const t = useApplicationsText()
  const nameOf = useCategoryName()
  // Null while the field contains the name of the category.
  const [typed, setTyped] = useState<string | null>(null)
  // A selected category is not a search: the opened list then shows all of them.
  const [isSearching, setIsSearching] = useState(false)
  return (
    <Combobox
      label={t('category')}
      help={<span aria-live="polite">{t('categorySelected', { category: nameOf(value) })}</span>}
      isHelpKept
      placeholder={t('categorySearch')}
      data-path="category"
      error={error}
      value={typed ?? nameOf(value)}
      choices={matchingCategories(isSearching ? (typed ?? '') : '', nameOf).map((category) => ({
        value: category,
        label: nameOf(category),
      }))}
      chosen={value}
      listLabel={t('categories')}
      emptyText={t('categoriesNone')}
      onType={(text) => {
        setTyped(text)
        onChange(categoryOf(text, nameOf))
        setIsSearching(true)
      }}
      onChoose={(category) => {
        setTyped(null)
        onChange(category)
      }}
      onClose={() => setIsSearching(false)}
      clear={{
        label: t('categoryClear'),
        onClear: () => {
          setTyped('')
          onChange(DEFAULT_CATEGORY)
        },
      }}
    />
  )
}
