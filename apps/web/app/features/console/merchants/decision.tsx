import type { MerchantDetails } from '@muripo/contract/console'
import type { ProposalKind } from '@muripo/contract/console-permissions'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import { useState } from 'react'
import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, row } from '../../../components/ui/classes.ts'
import { Box, Boxes } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { kindText, useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { bodyClass } from '../panel-parts.tsx'
import { useConsoleText } from '../text.ts'

type Move = Extract<ProposalKind, `merchant.${string}`>

/** The decisions that the server accepts in each status. */
const movesFrom: Readonly<Record<MerchantStatus, readonly Move[]>> = {
  new: ['merchant.approve', 'merchant.suspend', 'merchant.close'],
  approved: ['merchant.suspend', 'merchant.close'],
  suspended: ['merchant.resume', 'merchant.close'],
  closed: [],
}

const texts = {
  'merchant.approve': 'approveText',
  'merchant.suspend': 'suspendText',
  'merchant.resume': 'resumeText',
  'merchant.close': 'closeText',
} as const satisfies Readonly<Record<Move, string>>

/** The decisions of the operator about a merchant without an open proposal. */
export function MerchantDecision({ merchant }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const { decides } = useDecider()
  const { status, waitsFor } = merchant
  const possible: readonly Move[] =
    waitsFor === 'applications' ? ['merchant.approve', ...movesFrom[status]] : movesFrom[status]
  const moves = possible.filter(decides)
  return (
    <Panel title={t('consoleStatus')} busy={false}>
      <div className={`${bodyClass} ${row('wrap', 'gap12')}`}>
        {moves.length === 0 && (
          <p className={font('md', 'quiet')}>{t(status === 'closed' ? 'decisionClosed' : 'decisionNone')}</p>
        )}
        {moves.map((move) => (
          <MoveButton key={move} move={move} merchant={merchant} />
        ))}
      </div>
    </Panel>
  )
}

interface MoveButtonProps {
  readonly move: Move
  readonly merchant: MerchantDetails
}

function MoveButton({ move, merchant }: MoveButtonProps) {
  const t = useConsoleText()
  const { isAlone } = useDecider()
  const [isOpen, setOpen] = useState(false)
  const [named, setNamed] = useState<readonly string[]>([])
  const [isUnnamed, setUnnamed] = useState(false)
  const { id, seen, reservedWords } = merchant
  const isApproval = move === 'merchant.approve'
  const words = isApproval ? reservedWords : []
  const change = useProposal(() => setOpen(false))
  const isDanger = move === 'merchant.suspend' || move === 'merchant.close'
  const refused = useRefusedFieldTexts()(change.error).reserved
  return (
    <>
      <Button
        kind={isApproval ? 'primary' : isDanger ? 'danger-quiet' : 'default'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {kindText(move, t)}
      </Button>
      <ReasonDialog
        opened={isOpen}
        title={kindText(move, t)}
        text={isAlone(move) ? t(texts[move]) : `${t(texts[move])} ${t('secondNeeded')}`}
        help={t('reasonForMerchant')}
        verb={t(isAlone(move) ? 'decideNow' : 'proposeDo')}
        danger={isDanger}
        running={change.isPending}
        error={change.error}
        onClose={() => setOpen(false)}
        onReason={(reason) => {
          const isMissing = words.some((word) => !named.includes(word))
          setUnnamed(isMissing)
          if (isMissing) return
          change.mutate({
            kind: move,
            subject: id,
            reason,
            ...(isApproval && { seen }),
            ...(words.length > 0 && { reserved: named.join(', ') }),
          })
        }}
      >
        {words.length > 0 && (
          <Boxes label={t('reservedText')} error={isUnnamed ? t('reservedMissing') : refused}>
            <div className={grid('gap4')}>
              {words.map((word) => (
                <Box
                  key={word}
                  label={word}
                  checked={named.includes(word)}
                  onChange={(event) =>
                    setNamed(
                      event.currentTarget.checked ? [...named, word] : named.filter((each) => each !== word),
                    )
                  }
                />
              ))}
            </div>
          </Boxes>
        )}
      </ReasonDialog>
    </>
  )
}
