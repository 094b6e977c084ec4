import { useState } from 'react'
import { panelClass } from '../../components/ui/classes.ts'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { TabLinks } from '../../components/ui/tab-links.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

interface Sale {
  readonly name: string
  readonly amount: string
}

const sales: readonly Sale[] = [
  { name: 'Tendai Moyo', amount: '12.50' },
  { name: 'A customer with a long name', amount: '1,284.60' },
]

const columns: readonly Column<Sale>[] = [
  { title: 'Customer', area: 'name', cell: ({ name }) => name },
  { title: 'Amount', area: 'amount', align: 'end', cell: ({ amount }) => amount },
  {
    title: 'Status',
    area: 'status',
    align: 'endInCard',
    placeholder: 'badge',
    cell: () => <StatusBadge tone="green">Paid</StatusBadge>,
  },
]

export const ListParts = () => (
  <Part name="DataList">
    <div className={panelClass}>
      <DataList
        label="Sales"
        className={styles.list}
        columns={columns}
        items={sales}
        keyOf={({ name }) => name}
      />
    </div>
    <div className={panelClass}>
      <DataList
        label="Sales"
        className={styles.list}
        columns={columns}
        items={undefined}
        keyOf={({ name }) => name}
        loading="Loading sales..."
        loadingRows={2}
      />
    </div>
  </Part>
)

const tabs = ['Basic Information', 'Payments', 'Webhooks'].map((label) => ({ name: label, label }))

export function TabParts({ scheme }: { readonly scheme: string }) {
  const [tab, openTab] = useState('Payments')
  return (
    <Part name="Tabs, TabLinks">
      <Tabs label="Parts of a page" tabs={tabs} current={tab} onOpen={openTab} isPadded>
        <p>{tab}</p>
      </Tabs>
      <TabLinks
        label={`Pages (${scheme})`}
        tabs={[
          { to: '/dev/parts', label: 'This page' },
          { to: '/dev', label: 'Another page' },
        ]}
      />
    </Part>
  )
}
