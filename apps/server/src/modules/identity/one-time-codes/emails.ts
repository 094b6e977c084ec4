import type { Occasion } from '../../../platform/mail/email-content.ts'

/** The recipient of a code and the origin of the request. */
export interface CodeRequest {
  readonly to: string
  readonly fullname: string
  readonly code: string
  readonly occasion: Occasion
  /** The account knows devices, and this is none of them. */
  readonly isNewDevice: boolean
}

/** A request whose mail carries a link beside the code. */
export interface LinkRequest extends CodeRequest {
  readonly link: string
}

export const NOT_REQUESTED =
  'Muripo never asks for this code by phone, by chat or by mail. Do not give it to anyone.'

export const warningOf = (isNewDevice: boolean): { warning?: string } =>
  isNewDevice
    ? { warning: 'It was asked for from a device that has not signed in to your account before.' }
    : {}
