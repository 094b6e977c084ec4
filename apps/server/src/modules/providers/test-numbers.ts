import { z } from 'zod'

const isNumber = (text: string): boolean => /^[+\d][\d\s-]{8,20}$/.test(text)

/** The only numbers that a test account may prompt. The default ones answer by themselves in the simulator. */
export const testNumbers = z
  .string()
  .default('077 111 1111, 077 222 2222, 077 333 3333, 077 444 4444')
  .transform((text) => text.split(',').map((number) => number.trim()))
  .refine((numbers) => numbers.every(isNumber), {
    error: ({ input }) =>
      `must be phone numbers separated by commas, and "${(input as string[]).find((text) => !isNumber(text))}" is none`,
  })
