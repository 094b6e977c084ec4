import { locales } from '@muripo/contract/enums'
import { languageNames, localeIn } from '@muripo/locales/languages'
import { updateLanguage } from '../../api/account.ts'
import { SelectField } from '../../components/ui/field.tsx'
import { useChooseLanguage, useCommonText } from '../../lib/page-text.ts'
import { AccountSetting } from './account-setting.tsx'
import { useSettingsText } from './text.ts'

export function Language() {
  const t = useSettingsText()
  const common = useCommonText()
  const choose = useChooseLanguage()
  return (
    <AccountSetting
      title={common('language')}
      about={t('languageAbout')}
      readValue={({ locale }) => locale}
      save={updateLanguage}
      onSaved={({ locale }) => choose(locale)}
      saveLabel={t('saveLanguageButton')}
      savedText={t('languageSaved')}
    >
      {({ value, onChange }) => (
        <SelectField
          label={common('language')}
          choices={[
            { value: '', label: t('languageOfBrowser') },
            ...locales.map((locale) => ({ value: locale, label: languageNames[locale] })),
          ]}
          value={value ?? ''}
          onChange={(event) => onChange(localeIn(event.currentTarget.value))}
        />
      )}
    </AccountSetting>
  )
}
