export { type EventType, recordEvent } from './actions/record-event.ts'
