import fc from 'fast-check'
import { runSeed } from './run-seed.ts'

/** Properties without a seed of their own take that of the run, so that TEST_SEED repeats them as it repeats all other random numbers. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: runSeed })
