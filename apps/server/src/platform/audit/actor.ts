import {
  type AccountId,
  KeyId,
  type MerchantId,
  type OperatorSessionId,
  type PersonId,
  type SessionId,
} from '@muripo/contract/ids'
import { idFrom } from '../ids.ts'

/** The author of an audited action, and the address. */
export interface Actor {
  readonly kind: 'merchant' | 'operator' | 'visitor' | 'system'
  /** A merchant's id, an operator's name, or the part of the gateway; of a visitor only the address is known. */
  readonly name: string
  /** A network address, or the account and machine of a terminal. */
  readonly address: string | null
  readonly requestId: string | null
  /** The id of the application key or session that authorised it. */
  readonly credential?: SessionId | KeyId | OperatorSessionId
  /** The person of the session. */
  readonly personId?: PersonId
  /** Facts that the details of each of its entries repeat, such as the proposal that an approval executes. */
  readonly marks?: Readonly<Record<string, string>>
}

type Caller =
  | { readonly merchantId: MerchantId; readonly sessionId: SessionId; readonly personId?: PersonId }
  | { readonly accountId: AccountId; readonly keyId: string }

/** The caller of a request, with its key or session. */
export const callerActor = (caller: Caller, request: { ip: string; id: string }): Actor => ({
  ...merchantActor('sessionId' in caller ? caller.merchantId : caller.accountId, request),
  credential: 'sessionId' in caller ? caller.sessionId : idFrom(KeyId, caller.keyId),
  ...('personId' in caller && caller.personId !== undefined && { personId: caller.personId }),
})

/** A signed-in merchant, by the request of the action. */
export const merchantActor = (accountId: AccountId, request: { ip: string; id: string }): Actor => ({
  kind: 'merchant',
  name: accountId,
  address: request.ip,
  requestId: request.id,
})

/** An operator at a terminal, identified by the account there. */
export const operatorActor = (name: string, terminal: string): Actor => ({
  kind: 'operator',
  name,
  address: terminal,
  requestId: null,
})

export const visitorActor = ({ address, requestId }: { address: string; requestId: string }): Actor => ({
  kind: 'visitor',
  name: 'unknown',
  address,
  requestId,
})

/** The gateway itself, for automatic actions. */
export const systemActor = (part: string): Actor => ({
  kind: 'system',
  name: part,
  address: null,
  requestId: null,
})
