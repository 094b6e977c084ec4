/** A session of the console ends after this time without a call. */
export const IDLE_MINUTES = 15
/** A session of the console ends after this time in any case. */
export const LIFE_HOURS = 8
