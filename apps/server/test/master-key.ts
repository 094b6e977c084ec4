/** The master key that all processes of one test share. */
export const testMasterKey = Buffer.from('a master key that is for tests..', 'latin1')
