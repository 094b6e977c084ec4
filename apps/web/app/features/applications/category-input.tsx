import { CloseButton, Combobox, Input, InputBase, useCombobox } from '@mantine/core'
import { DEFAULT_CATEGORY } from '@muripo/contract/enums'
import { useState } from 'react'
import styles from '../../components/dialogs.module.css'
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
  const [searching, setSearching] = useState(false)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearching(false)
    },
  })
  const onType = (text: string) => {
    setTyped(text)
    onChange(categoryOf(text, nameOf))
    setSearching(true)
    combobox.openDropdown()
    combobox.updateSelectedOptionIndex()
  }
  const onSelect = (category: string) => {
    setTyped(null)
    onChange(category)
    combobox.closeDropdown()
  }
  const onClear = () => {
    setTyped('')
    onChange(DEFAULT_CATEGORY)
  }

  return (
    <div>
      {/* The list is inside the dialog, because a screen reader ignores everything outside of it. */}
      <Combobox store={combobox} withinPortal={false} onOptionSubmit={onSelect}>
        <Combobox.Target>
          <InputBase
            label={t('category')}
            size="md"
            placeholder={t('categorySearch')}
            autoComplete="off"
            data-path="category"
            error={error}
            value={typed ?? nameOf(value)}
            onChange={(event) => onType(event.currentTarget.value)}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            rightSectionPointerEvents="all"
            rightSection={<ClearButton onClick={onClear} />}
          />
        </Combobox.Target>
        {/* A selected category is not a search: the opened list then shows all of them. */}
        <CategoryOptions value={value} search={searching ? (typed ?? '') : ''} />
      </Combobox>
      <Input.Description className={styles.selected ?? ''} aria-live="polite">
        {t('categorySelected', { category: nameOf(value) })}
      </Input.Description>
    </div>
  )
}

function ClearButton({ onClick }: { readonly onClick: () => void }) {
  const t = useApplicationsText()
  return (
    <CloseButton
      aria-label={t('categoryClear')}
      size="lg"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    />
  )
}

function CategoryOptions({ value, search }: { readonly value: string; readonly search: string }) {
  const t = useApplicationsText()
  const nameOf = useCategoryName()
  const categories = matchingCategories(search, nameOf)
  return (
    <Combobox.Dropdown>
      <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={t('categories')}>
        {categories.length === 0 && <Combobox.Empty>{t('categoriesNone')}</Combobox.Empty>}
        {categories.map((category) => (
          <Combobox.Option key={category} value={category} active={category === value}>
            {nameOf(category)}
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
