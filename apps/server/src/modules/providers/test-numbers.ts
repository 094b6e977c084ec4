import { z } from 'zod'

const isNumber = (text: string): boolean => /^[+\d][\d\s-]{8,20}$/.test(text)

export const numberList = z
  .string()
  .transform((text) => text.split(',').map((number) => number.trim()))
  .refine((numbers) => numbers.every(isNumber), {
    error: ({ input }) =>
      `must be phone numbers separated by commas, and "${(input as string[]).find((text) => !isNumber(text))}" is none`,
  })

/** The only numbers that a test account may prompt. The default ones answer by themselves in the simulator. */
export const testNumbers = numberList.prefault('077 111 1111, 077 222 2222, 077 333 3333, 077 444 4444')
