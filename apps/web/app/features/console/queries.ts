import * as calls from 'virtual:calls/console'
import * as proposalCalls from 'virtual:calls/proposals'
import type { ConsolePaymentDetails, MerchantDetails } from '@muripo/contract/console'
import type { Reviews } from '@muripo/contract/console-reviews'
import type { MerchantId } from '@muripo/contract/ids'
import type { createProposal, Proposal } from '@muripo/contract/proposals'
import type { BodyInput, QueryInput } from '@muripo/contract/route'
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { hasCode, ReaderError, unwrap } from '../../api/api-error.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { openAnswer, requestInit } from '../../lib/http.ts'
import { type ShowSentence, showPasskey } from '../../lib/passkeys.ts'
import { sendConsole } from './api.ts'

type MerchantFilter = Pick<QueryInput<typeof calls.listConsoleMerchants>, 'status' | 'search'>

const readMerchants = async (filter: MerchantFilter, cursor: MerchantId | null, signal?: AbortSignal) =>
  unwrap(
    await sendConsole(calls.listConsoleMerchants, {
      query: { ...filter, ...(cursor !== null && { cursor }) },
      signal,
    }),
    'loadConsole',
  )

/** One page for a file. */
export async function merchantsPage(filter: MerchantFilter, cursor: MerchantId | null) {
  const { merchants: rows, nextCursor } = await readMerchants(filter, cursor)
  return { rows, nextCursor }
}

export const useMerchants = (filter: MerchantFilter) =>
  useInfiniteQuery({
    queryKey: ['merchants', filter],
    queryFn: ({ pageParam, signal }) => readMerchants(filter, pageParam, signal),
    initialPageParam: null as MerchantId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const useMerchant = (merchantId: string) =>
  useQuery({
    queryKey: ['merchant', merchantId],
    queryFn: async ({ signal }): Promise<MerchantDetails> =>
      unwrap(await sendConsole(calls.getConsoleMerchant, { params: { merchantId }, signal }), 'loadConsole'),
  })

/** The document as a file of the browser. The query is that of one reveal: the server refuses it after its end. */
export const useDocument = (merchantId: string, revealedUntil: string | null) =>
  useQuery({
    queryKey: ['document', merchantId, revealedUntil],
    queryFn: async ({ signal }): Promise<Blob> => {
      const address = `/console/api/merchants/${encodeURIComponent(merchantId)}/document`
      const answer = await openAnswer(address, { ...requestInit('GET', undefined), signal })
      return unwrap(answer, 'loadConsole').blob()
    },
    enabled: revealedUntil !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const useFoundPayments = (search: string) =>
  useQuery({
    queryKey: ['found-payments', search],
    queryFn: async ({ signal }) =>
      unwrap(await sendConsole(calls.findConsolePayments, { query: { search }, signal }), 'loadConsole')
        .payments,
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })

export const useConsolePayment = (merchantId: string, paymentId: string) =>
  useQuery({
    queryKey: ['payment', merchantId, paymentId],
    queryFn: async ({ signal }): Promise<ConsolePaymentDetails> =>
      unwrap(
        await sendConsole(calls.getConsolePayment, { params: { merchantId, paymentId }, signal }),
        'loadConsole',
      ),
  })

export const useReviews = () =>
  useQuery({
    queryKey: ['reviews'],
    queryFn: async ({ signal }): Promise<Reviews> =>
      unwrap(await sendConsole(calls.getReviews, { signal }), 'loadConsole'),
  })

/** The open proposals that this operator may approve. */
export const useSignatures = (enabled: boolean) =>
  useQuery({
    queryKey: ['proposals'],
    queryFn: async ({ signal }): Promise<readonly Proposal[]> =>
      unwrap(
        await sendConsole(proposalCalls.listProposals, { query: { state: 'open' }, signal }),
        'loadConsole',
      ).proposals.filter(({ mayApprove }) => mayApprove),
    enabled,
  })

/** A change by an operator affects lists, counts and pages alike. A document stays: each reading is in the audit log. */
export const refresh = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'document' })

/**
 * A change by the operator. Afterwards every page shows the present state, also after a refusal: somebody else was faster. Then the form may be
 * gone, and a toast has the reason.
 */
export function useChange<Values, Result>(
  mutationFn: (values: Values) => Promise<Result>,
  onDone: (result: Result) => void,
) {
  const queries = useQueryClient()
  const toastError = useErrorToast()
  return useMutation({
    mutationFn,
    onSuccess: onDone,
    onError(error) {
      if (hasCode(error, 'proposal_open', 'proposal_closed', 'proposal_stale')) toastError(error)
    },
    onSettled: () => refresh(queries),
  })
}

export const revealData = async (body: BodyInput<typeof calls.revealPersonalData>) =>
  unwrap(await sendConsole(calls.revealPersonalData, { body }), 'changeConsole')

export type ProposalBody = BodyInput<typeof createProposal>

/** Proposes a decision. Returns null when it was executed at once. */
export async function propose(body: ProposalBody): Promise<Proposal | null> {
  const answer = unwrap(await sendConsole(proposalCalls.createProposal, { body }), 'changeConsole')
  return 'executed' in answer ? null : answer
}

/** Has the operator sign exactly this proposal with the passkey, and executes it. */
export async function approve(proposalId: string, t: ShowSentence): Promise<Proposal> {
  const params = { proposalId }
  const options = unwrap(await sendConsole(proposalCalls.signProposal, { params }), 'changeConsole')
  const { passkey, failure } = await showPasskey(options, t)
  if (failure !== null) throw new ReaderError(failure)
  return unwrap(
    await sendConsole(proposalCalls.approveProposal, { params, body: { passkey } }),
    'changeConsole',
  )
}

export const reject = async (proposalId: string, reason: string): Promise<Proposal> =>
  unwrap(
    await sendConsole(proposalCalls.rejectProposal, { params: { proposalId }, body: { reason } }),
    'changeConsole',
  )

export const withdraw = async (proposalId: string): Promise<Proposal> =>
  unwrap(await sendConsole(proposalCalls.withdrawProposal, { params: { proposalId } }), 'changeConsole')
