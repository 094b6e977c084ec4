import type { NamedKey } from '@muripo/contract/application-keys'
import { type KeyPreset, keyPresets } from '@muripo/contract/permissions'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../../api/account.ts'
import { createKey, type KeyRequest, revokeKey, rotateKey } from '../../../api/keys.ts'
import { type Save, useErrorToast, useFieldRefusal } from '../../../components/error-toast.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceCards } from '../../../components/ui/choice-cards.tsx'
import { font, stack } from '../../../components/ui/classes.ts'
import { Confirm } from '../../../components/ui/confirm.tsx'
import { Dialog, DialogFoot, FormFoot } from '../../../components/ui/dialog.tsx'
import { Facts, KeyFact } from '../../../components/ui/facts.tsx'
import { AreaField, SelectField, TextField } from '../../../components/ui/field.tsx'
import { Note } from '../../../components/ui/note.tsx'
import { Sheet } from '../../../components/ui/sheet.tsx'
import { formProps, useForm } from '../../../lib/forms.ts'
import { serverNow } from '../../../lib/timing.ts'
import { overlaps, presetTexts, useKeysText } from './text.ts'

const DAY_MS = 86_400_000
const ENDS = [0, 30, 90, 365] as const

interface NewKeyProps {
  readonly applicationId: string
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}

export function NewKeySheet({ applicationId, opened, onClose, onCreated }: NewKeyProps) {
  const t = useKeysText()
  const [isDirty, setDirty] = useState(false)
  const creation = useMutation({
    mutationFn: (request: KeyRequest) => createKey(applicationId, request),
    onSuccess: onCreated,
  })
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title={t('newKeyButton')}
      running={creation.isPending}
      dirty={isDirty}
    >
      <NewKeyForm running={creation.isPending} save={creation.mutate} onDirty={setDirty} onCancel={onClose} />
    </Sheet>
  )
}

interface Values {
  readonly name: string
  readonly preset: KeyPreset
  readonly mode: NamedKey['mode']
  readonly end: string
  readonly networks: string
}

interface NewKeyFormProps {
  readonly running: boolean
  readonly save: Save<KeyRequest>
  readonly onDirty: (isDirty: boolean) => void
  readonly onCancel: () => void
}

function NewKeyForm({ running, save, onDirty, onCancel }: NewKeyFormProps) {
  const t = useKeysText()
  const isLive = useAccount().data?.gatewayMode === 'live'
  const form = useForm<Values>({
    initialValues: {
      name: '',
      preset: 'online_shop',
      mode: isLive ? 'live' : 'test',
      end: '0',
      networks: '',
    },
    validate: ({ name }) => (name.trim() === '' ? { name: t('keyNameMissing') } : {}),
  })
  const onError = useFieldRefusal(form, 'networks')
  const { preset } = form.values
  const submit = ({ end, networks, ...values }: Values) =>
    save(
      {
        ...values,
        name: values.name.trim(),
        expiresAt: end === '0' ? null : new Date(serverNow() + Number(end) * DAY_MS).toISOString(),
        allowedAddresses: networks.split(/[\s,]+/).filter((each) => each !== ''),
      },
      { onError },
    )
  return (
    <form {...formProps(form, running, submit)} onInput={() => onDirty(true)}>
      <div className={stack('gap24')}>
        <ChoiceCards
          label={t('uses')}
          name="preset"
          choices={(Object.keys(keyPresets) as KeyPreset[]).map((value) => ({
            value,
            label: t(presetTexts[value]),
          }))}
          help={`${t('canDo')}: ${keyPresets[preset].join(', ')}`}
          {...form.getInputProps('preset')}
        />
        <TextField
          label={t('keyName')}
          placeholder={t('keyNameExample')}
          autoComplete="off"
          maxLength={60}
          {...form.getInputProps('name')}
        />
        {isLive && (
          <SelectField
            label={t('keyMode')}
            choices={[
              { value: 'live', label: t('keyModeLive') },
              { value: 'test', label: t('keyModeTest') },
            ]}
            {...form.getInputProps('mode')}
          />
        )}
        <SelectField
          label={t('keyEnd')}
          choices={ENDS.map((days) => ({
            value: String(days),
            label: days === 0 ? t('endNever') : t('endInDays', { days }),
          }))}
          {...form.getInputProps('end')}
        />
        <AreaField
          label={t('networks')}
          help={t('networksHelp')}
          rows={3}
          spellCheck={false}
          {...form.getInputProps('networks')}
        />
      </div>
      <FormFoot running={running} runningLabel={t('creatingKey')} onCancel={onCancel}>
        {t('createKeyButton')}
      </FormFoot>
    </form>
  )
}

/** Shows a key, which no page shows again. */
export function NewKeyDialog({
  secret,
  onClose,
}: {
  readonly secret: string | null
  readonly onClose: () => void
}) {
  const t = useKeysText()
  return (
    <Dialog opened={secret !== null} onClose={onClose} title={t('newKeyTitle')} closesBy="button">
      <Facts>
        <KeyFact name={t('newKeyTitle')}>{secret ?? ''}</KeyFact>
      </Facts>
      <Note>{t('newKeyOnce')}</Note>
      <DialogFoot>
        <Button onClick={onClose}>{t('newKeyKept')}</Button>
      </DialogFoot>
    </Dialog>
  )
}

interface KeyDialogProps {
  readonly applicationId: string
  readonly named: NamedKey | null
  readonly onClose: () => void
}

export function ReplaceDialog({
  applicationId,
  named,
  onClose,
  onReplaced,
}: KeyDialogProps & { readonly onReplaced: (secret: string) => void }) {
  const t = useKeysText()
  const toastError = useErrorToast()
  const [overlap, setOverlap] = useState<string>(overlaps[0].value)
  const rotation = useMutation({
    mutationFn: () => rotateKey(applicationId, named?.id ?? '', Number(overlap)),
    onSuccess: onReplaced,
    onError: toastError,
  })
  return (
    <Confirm
      opened={named !== null}
      title={t('replaceKeyTitle')}
      verb={t('replaceKey')}
      working={t('replacing')}
      running={rotation.isPending}
      onConfirm={() => rotation.mutate()}
      onClose={onClose}
    >
      <p className={font('quiet')}>{t('replaceKeyAbout')}</p>
      <SelectField
        label={t('overlap')}
        choices={overlaps.map(({ value, text }) => ({ value, label: t(text) }))}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </Confirm>
  )
}

export function RevokeDialog({
  applicationId,
  named,
  onClose,
  onRevoked,
}: KeyDialogProps & { readonly onRevoked: () => void }) {
  const t = useKeysText()
  const toastError = useErrorToast()
  const revocation = useMutation({
    mutationFn: () => revokeKey(applicationId, named?.id ?? ''),
    onSuccess: () => {
      onRevoked()
      dashboardToast.success(t('namedKeyRevoked'))
    },
    onError: toastError,
  })
  return (
    <Confirm
      opened={named !== null}
      title={t('revokeKeyTitle')}
      verb={t('revokeKeyButton')}
      working={t('revoking')}
      running={revocation.isPending}
      danger
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>{named?.name}</strong>
      </p>
      <p className={font('quiet')}>{t('revokeKeyAbout')}</p>
    </Confirm>
  )
}
