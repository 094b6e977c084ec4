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
  // A selected category is not a search: the opened list shows all of them.
  const options = matchingCategories(searching ? (typed ?? '') : '', nameOf)

  return (
    <div>
      <Combobox
        store={combobox}
        // The list is inside of the dialog, because a screen reader ignores everything outside of it.
        withinPortal={false}
        onOptionSubmit={(category) => {
          setTyped(null)
          onChange(category)
          combobox.closeDropdown()
        }}
      >
        <Combobox.Target>
          <InputBase
            label={t('category')}
            size="md"
            placeholder={t('categorySearch')}
            autoComplete="off"
            data-path="category"
            error={error}
            value={typed ?? nameOf(value)}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              onChange(categoryOf(event.currentTarget.value, nameOf))
              setSearching(true)
              combobox.openDropdown()
              combobox.updateSelectedOptionIndex()
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            rightSectionPointerEvents="all"
            rightSection={
              <CloseButton
                aria-label={t('categoryClear')}
                size="lg"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  setTyped('')
                  onChange(DEFAULT_CATEGORY)
                }}
              />
            }
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={t('categories')}>
            {options.length === 0 && <Combobox.Empty>{t('categoriesNone')}</Combobox.Empty>}
            {options.map((category) => (
              <Combobox.Option key={category} value={category} active={category === value}>
                {nameOf(category)}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Input.Description className={styles.selected ?? ''} aria-live="polite">
        {t('categorySelected', { category: nameOf(value) })}
      </Input.Description>
    </div>
  )
}
