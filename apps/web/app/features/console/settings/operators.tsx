import { type OperatorRole, operatorRoles } from '@muripo/contract/console-permissions'
import type { ListedOperator } from '@muripo/contract/console-settings'
import { emailField } from '@muripo/contract/fields'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, row } from '../../../components/ui/classes.ts'
import type { Column } from '../../../components/ui/data-list.tsx'
import { SelectField } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { useMe } from '../api.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { asPage, ExportButton } from '../export-button.tsx'
import { Controls, Foot, List, useAddressFilter, When } from '../list-parts.tsx'
import { useOperators } from '../operation-queries.ts'
import { NoneYet } from '../panel-parts.tsx'
import { type ConsoleText, roleText, useConsoleText } from '../text.ts'
import styles from './settings.module.css'

type Act = { readonly kind: 'operator.role' | 'operator.remove'; readonly operator: ListedOperator }

export function Operators() {
  const t = useConsoleText()
  const query = useOperators()
  const [act, setAct] = useState<Act | null>(null)
  const columns = useColumns(setAct)
  const [typed, setRole] = useAddressFilter('role')
  const shown = operatorRoles.find((each) => each === typed)
  const items = query.data?.filter(({ role }) => shown === undefined || role === shown)
  return (
    <>
      <Panel title={t('settingsOperators')} busy={!query.data} aside={<Add />}>
        <Controls>
          <SelectField
            label={t('settingsRole')}
            value={shown ?? ''}
            choices={[{ value: '', label: t('settingsAllRoles') }, ...roleChoices(t)]}
            onChange={({ currentTarget: { value } }) => setRole(value)}
          />
        </Controls>
        <List
          label={t('settingsOperators')}
          className={styles.operators}
          columns={columns}
          query={query}
          items={items}
          keyOf={({ id }) => id}
          none={<NoneYet>{t('settingsNobody')}</NoneYet>}
        />
        {items && items.length > 0 && (
          <Foot>
            <ExportButton file="operators" columns={file} readPage={asPage(items)} />
          </Foot>
        )}
      </Panel>
      {act?.kind === 'operator.role' && (
        <Role key={act.operator.id} operator={act.operator} onClose={() => setAct(null)} />
      )}
      {act?.kind === 'operator.remove' && (
        <Remove key={act.operator.id} operator={act.operator} onClose={() => setAct(null)} />
      )}
    </>
  )
}

const file: CsvColumns<ListedOperator> = [
  ['ID', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Role', ({ role }) => role],
  ['Passkey', ({ hasPasskey }) => (hasPasskey ? 'yes' : 'no')],
  ['Last seen', ({ lastSeenAt }) => lastSeenAt ?? ''],
]

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

const roleChoices = (t: ConsoleText) =>
  operatorRoles.map((role) => ({ value: role, label: roleText(role, t) }))

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
      choices={roleChoices(t)}
      onChange={({ currentTarget }) =>
        onChange(operatorRoles.find((role) => role === currentTarget.value) ?? value)
      }
    />
  )
}

function Add() {
  const t = useConsoleText()
  return (
    <DecisionButton
      kind="operator.add"
      body={{ subject: null }}
      text={t('settingsAddText')}
      fields={[
        {
          name: 'subject',
          label: t('settingsEmail'),
          check: (value) =>
            emailField.error(emailField.clean(value)) === null ? null : t('settingsEmailWrong'),
        },
        { name: 'name', label: t('merchantName'), missing: t('settingsNameMissing') },
        { name: 'role', label: t('settingsRole'), initial: 'support', choices: roleChoices(t) },
      ]}
    />
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
