import type { MerchantOfPerson } from '@muripo/contract/team'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrap } from '../../api/api-error.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconCheck, IconSelector } from '../../components/icons.ts'
import { font, grid, row } from '../../components/ui/classes.ts'
import { Menu } from '../../components/ui/menu.tsx'
import { useAccessText } from '../../lib/access-text.ts'
import { initialsOf } from '../../lib/initials.ts'
import { openMerchant } from '../../session/open-merchant.ts'
import styles from './identity.module.css'

interface SwitcherProps {
  readonly className: string
  readonly children: (isButton: boolean) => ReactNode
}

/** The shop as a button, with the shops of the person. Without the list the shop is alone. */
export function Switcher({ className, children }: SwitcherProps) {
  const merchants = useMerchants()
  const t = useAccessText()
  const opening = useMutation({
    mutationFn: async ({ id }: MerchantOfPerson) => unwrap(await openMerchant(id), 'switchMerchant'),
    onError: useErrorToast(),
  })
  const current = merchants.find((merchant) => merchant.current)
  if (merchants.length < 2) return <div className={className}>{children(false)}</div>
  const isOpening = opening.isPending || opening.isSuccess
  return (
    <>
      <Menu
        label={t('yourShops')}
        title={t('yourShops')}
        className={`${styles.switch} ${className}`}
        aria-label={t('switchShop', { name: current?.name ?? '' })}
        items={merchants.map((merchant) => ({
          name: merchant.id,
          label: <Choice merchant={merchant} />,
          current: merchant.current,
          onChoose: () => merchant.current || isOpening || opening.mutate(merchant),
        }))}
      >
        {children(true)}
        <IconSelector size={16} stroke={1.75} aria-hidden />
      </Menu>
      <span role="status" className="visuallyHidden">
        {isOpening && t('openingShop', { name: opening.variables?.name ?? '' })}
      </span>
    </>
  )
}

function Choice({ merchant: { name, role, current } }: { readonly merchant: MerchantOfPerson }) {
  const t = useAccessText()
  return (
    <span className={row('centre', 'gap12')}>
      <span className={`${current ? styles.monogram : styles.other} ${font('xs', 'semibold')}`} aria-hidden>
        {initialsOf(name)}
      </span>
      <span className={`${styles.words} ${grid('grow')}`}>
        <span className={font('sm', 'semibold', 'anywhere')}>{name}</span>
        <span className={font('xs', 'quiet')}>{t('roleInShop', { role })}</span>
      </span>
      {current && <IconCheck size={18} stroke={1.75} aria-hidden />}
    </span>
  )
}
