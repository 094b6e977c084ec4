export { notesOn, writeNote } from './console/notes.ts'
export { retryJobs } from './console/retry-jobs.ts'
export { operatorTasks } from './jobs.ts'
export { mountConsole } from './mount.ts'
export { addOperator, removeOperator } from './people/actions/manage-operators.ts'
export { allOperators, type Operator, operatorByEmail, operatorsWith } from './people/store-operators.ts'
export { approveProposal } from './proposals/actions/approve.ts'
export { rejectProposal } from './proposals/actions/close.ts'
export { type Decider, type DecisionCtx, decide } from './proposals/actions/decide.ts'
export { eraseProposals } from './proposals/actions/erase.ts'
export { withdrawProposalsOf } from './proposals/actions/withdraw-all.ts'
export { fourEyesMarks, fourEyesOf, fourEyesWarning } from './proposals/four-eyes.ts'
export { type KindTypes, storedMoney, storedVerdict } from './proposals/payloads.ts'
export {
  type Proposal,
  selectProposals,
} from './proposals/store-proposals.ts'
