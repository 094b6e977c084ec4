import { type OperatorRole, operatorRoles } from '@muripo/contract/console-permissions'
import type { ListedOperator } from '@muripo/contract/console-settings'
import { emailField } from '@muripo/contract/fields'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { SelectField, TextField } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useMe } from '../api.ts'
import { useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { List, When } from '../list-parts.tsx'
import { useOperators } from '../operation-queries.ts'
import { roleText, useConsoleText } from '../text.ts'
import styles from './settings.module.css'

type Act = { readonly kind: 'operator.role' | 'operator.remove'; readonly operator: ListedOperator }

export function Operators() {
  const t = useConsoleText()
  const query = useOperators()
  const [act, setAct] = useState<Act | null>(null)
  const [isAdding, setAdding] = useState(false)
  const columns = useColumns(setAct)
  return (
    <>
      <Panel
        title={t('settingsOperators')}
        busy={!query.data}
        aside={
          <Button kind="default" aria-haspopup="dialog" onClick={() => setAdding(true)}>
            {t('settingsAdd')}
          </Button>
        }
      >
        <List
          label={t('settingsOperators')}
          className={styles.operators}
          columns={columns}
          query={query}
          items={query.data}
          keyOf={({ id }) => id}
        />
      </Panel>
      <Add opened={isAdding} onClose={() => setAdding(false)} />
      {act?.kind === 'operator.role' && (
        <Role key={act.operator.id} operator={act.operator} onClose={() => setAct(null)} />
      )}
      {act?.kind === 'operator.remove' && (
        <Remove key={act.operator.id} operator={act.operator} onClose={() => setAct(null)} />
      )}
    </>
  )
}

function useColumns(onAct: (act: Act) => void): readonly Column<ListedOperator>[] {
  const t = useConsoleText()
  const { data: me } = useMe()
  return [
    {
      title: t('merchantName'),
      area: 'name',
      cell: ({ id, name, email }) => (
        <span className={grid()}>
          <span className={`${row('wrap', 'centre', 'gap8', 'rows4')} ${font('md', 'semibold', 'anywhere')}`}>
            {name}
            {id === me?.id && <StatusBadge tone="grey">{t('settingsYou')}</StatusBadge>}
          </span>
          <span className={font('sm', 'quiet', 'anywhere')}>{email}</span>
        </span>
      ),
    },
    { title: t('settingsRole'), area: 'role', cell: ({ role }) => roleText(role, t) },
    {
      title: t('settingsPasskey'),
      area: 'passkey',
      isQuiet: true,
      cardTitle: t('settingsPasskey'),
      cell: ({ hasPasskey }) => t(hasPasskey ? 'settingsHasPasskey' : 'settingsNoPasskey'),
    },
    {
      title: t('settingsSeen'),
      area: 'seen',
      isQuiet: true,
      cardTitle: t('settingsSeen'),
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t('settingsNever') : <When at={lastSeenAt} />),
    },
    {
      title: t('settingsChangeRole'),
      isTitleHidden: true,
      area: 'act',
      align: 'end',
      placeholder: 'button',
      cell: (operator) =>
        operator.id !== me?.id && (
          <span className={row('wrap', 'gap8')}>
            <Button
              kind="default"
              aria-haspopup="dialog"
              aria-label={t('settingsChangeRoleOf', { name: operator.name })}
              onClick={() => onAct({ kind: 'operator.role', operator })}
            >
              {t('settingsChangeRole')}
            </Button>
            <Button
              kind="danger-quiet"
              aria-haspopup="dialog"
              aria-label={t('settingsRemoveOf', { name: operator.name })}
              onClick={() => onAct({ kind: 'operator.remove', operator })}
            >
              {t('settingsRemove')}
            </Button>
          </span>
        ),
    },
  ]
}

interface RoleFieldProps {
  readonly value: OperatorRole
  readonly onChange: (role: OperatorRole) => void
}

function RoleField({ value, onChange }: RoleFieldProps) {
  const t = useConsoleText()
  return (
    <SelectField
      label={t('settingsRole')}
      value={value}
      choices={operatorRoles.map((role) => ({ value: role, label: roleText(role, t) }))}
      onChange={({ currentTarget }) =>
        onChange(operatorRoles.find((role) => role === currentTarget.value) ?? value)
      }
    />
  )
}

function Add({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const t = useConsoleText()
  const { isAlone } = useDecider()
  const [typed, setTyped] = useState({ email: '', name: '', role: 'support' as OperatorRole })
  const [tried, setTried] = useState(false)
  const change = useProposal(() => {
    setTyped({ email: '', name: '', role: 'support' })
    setTried(false)
    onClose()
  })
  const email = emailField.clean(typed.email)
  const errors = {
    email: emailField.error(email) === null ? undefined : t('settingsEmailWrong'),
    name: typed.name.trim() === '' ? t('settingsNameMissing') : undefined,
  }
  const submit = (reason: string) => {
    setTried(true)
    if (errors.email !== undefined || errors.name !== undefined) return
    change.mutate({ kind: 'operator.add', subject: email, name: typed.name.trim(), role: typed.role, reason })
  }
  return (
    <ReasonDialog
      opened={opened}
      title={t('settingsAddTitle')}
      text={t('settingsAddText')}
      help={t(isAlone('operator.add') ? 'reasonAlone' : 'reasonForSecond')}
      verb={t(isAlone('operator.add') ? 'settingsAddDo' : 'proposeDo')}
      running={change.isPending}
      error={change.error}
      onClose={onClose}
      onReason={submit}
    >
      <TextField
        label={t('settingsEmail')}
        type="email"
        autoComplete="off"
        maxLength={254}
        value={typed.email}
        error={tried ? errors.email : undefined}
        onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, email: value }))}
      />
      <TextField
        label={t('merchantName')}
        autoComplete="off"
        maxLength={200}
        value={typed.name}
        error={tried ? errors.name : undefined}
        onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, name: value }))}
      />
      <RoleField value={typed.role} onChange={(role) => setTyped((before) => ({ ...before, role }))} />
    </ReasonDialog>
  )
}

interface OfOperator {
  readonly operator: ListedOperator
  readonly onClose: () => void
}

function Role({ operator: { email, name, role }, onClose }: OfOperator) {
  const t = useConsoleText()
  const { isAlone } = useDecider()
  const [chosen, setChosen] = useState(role)
  const change = useProposal(onClose)
  return (
    <ReasonDialog
      opened
      title={t('settingsChangeRoleOf', { name })}
      text={t('settingsChangeRoleText')}
      help={t(isAlone('operator.role') ? 'reasonAlone' : 'reasonForSecond')}
      verb={t(isAlone('operator.role') ? 'settingsChangeRoleDo' : 'proposeDo')}
      running={change.isPending}
      error={change.error}
      onClose={onClose}
      onReason={(reason) => change.mutate({ kind: 'operator.role', subject: email, role: chosen, reason })}
    >
      <RoleField value={chosen} onChange={setChosen} />
    </ReasonDialog>
  )
}

function Remove({ operator: { email, name }, onClose }: OfOperator) {
  const t = useConsoleText()
  const change = useProposal(onClose)
  return (
    <ReasonDialog
      opened
      title={t('settingsRemoveOf', { name })}
      text={t('settingsRemoveText')}
      help={t('reasonAlone')}
      verb={t('settingsRemoveDo')}
      danger
      running={change.isPending}
      error={change.error}
      onClose={onClose}
      onReason={(reason) => change.mutate({ kind: 'operator.remove', subject: email, reason })}
    />
  )
}
