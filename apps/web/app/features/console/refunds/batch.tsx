import type { ManualRefund } from '@muripo/contract/console-refunds'
import { MOST_IN_BATCH } from '@muripo/contract/manual-refunds'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { font, row, textLinkClass } from '../../../components/ui/classes.ts'
import { Box, TextField } from '../../../components/ui/field.tsx'
import { useConsoleDates } from '../dates.ts'
import { useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { IconDownload } from '../icons.ts'
import { takeOut } from '../operation-queries.ts'
import { useChange } from '../queries.ts'
import { priceText, useConsoleText } from '../text.ts'
import { RefundList } from './refund-list.tsx'
import styles from './refunds.module.css'

/** The sum of each currency: "USD 209.50, ZWG 10.00". */
function sumsOf(refunds: readonly ManualRefund[]): string {
  const sums = new Map<string, number>()
  for (const { currency, amount } of refunds) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, amount]) => priceText(currency, amount)).join(', ')
}

interface BatchProps {
  readonly refunds: readonly ManualRefund[]
  /** The typed numbers of the portal by refund, which stay while another list is open. */
  readonly numbers: Readonly<Record<string, string>>
  readonly onNumbers: (numbers: Readonly<Record<string, string>>) => void
}

/** Worked like paper: take refunds out, send them in the portal, type its numbers, confirm. The rest stays. */
export function Batch({ refunds, numbers, onNumbers }: BatchProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { isAlone } = useDecider()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<'take' | 'confirm' | null>(null)
  const close = () => setOpen(null)

  const numberOf = ({ refundId }: ManualRefund): string => numbers[refundId]?.trim() ?? ''
  const waiting = refunds.filter(({ takenUntil }) => takenUntil === null)
  const taken = refunds.filter(({ takenUntil }) => takenUntil !== null)
  const chosen = waiting.filter(({ refundId }) => ticked.has(refundId))
  const sent = refunds.filter((refund) => numberOf(refund) !== '')
  const isTwice = (refund: ManualRefund): boolean =>
    numberOf(refund) !== '' && sent.some((each) => each !== refund && numberOf(each) === numberOf(refund))
  const hasMistake = sent.some(isTwice)

  const taking = useChange(
    (reason: string) => takeOut({ refunds: chosen.map(({ refundId }) => refundId), reason }),
    () => {
      setTicked(new Set())
      close()
    },
  )
  const confirming = useProposal(() => {
    onNumbers({})
    close()
  })
  const tick = (id: string, isTicked: boolean) =>
    setTicked((before) => new Set(isTicked ? [...before, id] : [...before].filter((each) => each !== id)))
  const verb = (count: number) => t(isAlone('refund.batch') ? 'manualConfirm' : 'manualPropose', { count })
  const [until] = taken.flatMap(({ takenUntil }) => takenUntil ?? []).sort()
  return (
    <>
      {until !== undefined && (
        <div className={`${styles.taken} ${row('wrap', 'between', 'centre', 'gap12')}`}>
          <p className={font('md', 'quiet', 'pretty')}>{t('manualTaken', { time: dates.when(until) })}</p>
          <a
            className={`${textLinkClass} ${font('md', 'medium')}`}
            href="/console/api/refunds/export"
            download
          >
            <IconDownload size={18} stroke={1.75} aria-hidden />
            {t('manualFile')}
          </a>
        </div>
      )}
      <RefundList
        refunds={refunds}
        acts={{
          to: {
            title: t('manualTo'),
            area: 'to',
            className: font('semibold', 'numbers'),
            cell: ({ refundId, phone, chargeReference, takenUntil, currency, amount, shopName }) => {
              const to = phone ?? chargeReference ?? refundId
              if (takenUntil !== null) return to
              return (
                <Box
                  label={to}
                  aria-label={t('manualTick', { price: priceText(currency, amount), shop: shopName })}
                  aria-labelledby={undefined}
                  checked={ticked.has(refundId)}
                  disabled={!ticked.has(refundId) && chosen.length >= MOST_IN_BATCH}
                  onChange={({ currentTarget }) => tick(refundId, currentTarget.checked)}
                />
              )
            },
          },
          number: {
            title: t('manualNumber'),
            area: 'number',
            cell: (refund) =>
              (refund.takenUntil !== null || numberOf(refund) !== '') && (
                <TextField
                  label={t('manualNumberOf', { id: refund.phone ?? refund.refundId })}
                  isLabelHidden
                  placeholder={t('manualNumber')}
                  maxLength={100}
                  autoComplete="off"
                  value={numbers[refund.refundId] ?? ''}
                  error={isTwice(refund) ? t('manualTwice') : undefined}
                  onChange={({ currentTarget: { value } }) =>
                    onNumbers({ ...numbers, [refund.refundId]: value })
                  }
                />
              ),
          },
        }}
      />
      <div className={`${styles.foot} ${row('wrap', 'between', 'centre', 'gap12')}`}>
        <div className={row('wrap', 'gap12')}>
          {waiting.length > 0 && (
            <Button
              kind="default"
              onClick={() =>
                setTicked(new Set(waiting.slice(0, MOST_IN_BATCH).map(({ refundId }) => refundId)))
              }
            >
              {t('manualTickAll')}
            </Button>
          )}
          {chosen.length > 0 && (
            <Button
              kind={sent.length > 0 ? 'default' : 'primary'}
              aria-haspopup="dialog"
              onClick={() => setOpen('take')}
            >
              {t('manualTake', { count: chosen.length })}
            </Button>
          )}
        </div>
        {sent.length > 0 && (
          <div className={row('wrap', 'centre', 'gap12')}>
            <p className={font('sm', 'quiet')}>
              {sent.length > MOST_IN_BATCH ? t('manualTooMany') : `${sumsOf(sent)}. ${t('manualRest')}`}
            </p>
            <Button
              aria-haspopup="dialog"
              disabled={hasMistake || sent.length > MOST_IN_BATCH}
              onClick={() => setOpen('confirm')}
            >
              {verb(sent.length)}
            </Button>
          </div>
        )}
      </div>
      <ReasonDialog
        opened={open === 'take'}
        title={t('manualTakeDo')}
        text={t('manualTakeText')}
        help={t('revealHelp')}
        verb={t('manualTakeDo')}
        running={taking.isPending}
        error={taking.error}
        onClose={close}
        onReason={(reason) => taking.mutate(reason)}
      />
      <ReasonDialog
        opened={open === 'confirm'}
        title={verb(sent.length).replace('...', '')}
        text={t('manualConfirmText', { sum: sumsOf(sent) })}
        help={t(isAlone('refund.batch') ? 'reasonAlone' : 'reasonForSecond')}
        verb={t(isAlone('refund.batch') ? 'decideNow' : 'proposeDo')}
        running={confirming.isPending}
        error={confirming.error}
        onClose={close}
        onReason={(reason) =>
          confirming.mutate({
            kind: 'refund.batch',
            subject: sent[0]?.refundId ?? '',
            refunds: sent.map((refund) => ({ refund: refund.refundId, reference: numberOf(refund) })),
            reason,
          })
        }
      />
    </>
  )
}
