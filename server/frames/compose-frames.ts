import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import { createEvidenceVault } from '../moderation/evidence-vault.ts'
import { createEvidence } from '../moderation/rules/evidence.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { Flagged } from '../moderation/rules/ports.ts'
import { Background } from '../platform/background.ts'
import type { Store } from '../platform/database/open-store.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { createClassifier } from './classifier/classifier.ts'
import { MODEL_SIDE } from './classifier/classifier-messages.ts'
import type { FrameIntake } from './frame-intake.ts'
import { createFrameLog } from './rules/frame-log.ts'
import { createFrameWatch, type FrameMemory } from './rules/frame-watch.ts'
import { PRINT_SIDE } from './rules/picture-print.ts'

type FrameDeps = {
  config: Config
  secrets: Secrets
  store: Store
  clock: Clock
  newId: () => string
  memory: FrameMemory
  flagged: Flagged
  log: FastifyBaseLogger
  intake: FrameIntake
  /** The program that classifies, where it is not the one with the model. */
  classifierProgram?: URL
}

/** Everything that becomes of a camera's picture: looked at, classified where that is turned on, kept as evidence. */
export function watchFrames({
  config,
  secrets,
  store,
  clock,
  newId,
  memory,
  flagged,
  log: parent,
  intake,
  classifierProgram,
}: FrameDeps) {
  const log = parent.child({ part: 'frames' })
  const background = new Background(log, clock)
  const beside = background.run.bind(background)
  const classifier = config.frameClassifier
    ? createClassifier({ clock, log, ...(classifierProgram && { program: classifierProgram }) })
    : null
  const vault = createEvidenceVault(secrets.evidence)
  const evidence = createEvidence({ records: store.evidence, vault, clock, newId, beside })
  const watch = createFrameWatch({
    clock,
    policy: config.frameFlags,
    memory,
    clean: async (upload, accountId) => (await intake.takeFrame(upload, { accountId, isInternal: true })).jpeg,
    classify: classifier?.classify ?? null,
    keepFlagged: evidence.keepFlagged,
    flagged,
    signals: store.signals,
    beside,
  })
  const frameLog = createFrameLog({
    records: store.frames,
    clock,
    fault: (error) => log.error({ err: error }, 'that pictures came could not be written down'),
  })
  const side = classifier ? MODEL_SIDE : PRINT_SIDE
  return {
    watch,
    frameLog,
    take: (upload: Uint8Array, accountId: string) => intake.takeFrame(upload, { accountId }),
    view: (upload: Uint8Array, accountId: string) => intake.viewFrame(upload, side, { accountId }),
    evidence,
    counts: classifier?.counts ?? null,
    /** A report gets its evidence, and what was reviewed loses it, both as side paths. */
    withEvidence(moderation: Moderation): Moderation {
      return {
        ...moderation,
        async takeReport(report) {
          const isFirst = await moderation.takeReport(report)
          if (isFirst) beside('a report could not be given its evidence', evidence.reportMade(report))
          return isFirst
        },
        async decide(accountId, decision) {
          const status = await moderation.decide(accountId, decision)
          // A suspension can be appealed against, and is then reviewed with the same evidence.
          if (status !== 'Appeal')
            beside('evidence could not be deleted after a review', store.evidence.dropFor({ subject: accountId }))
          return status
        },
      }
    },
    settled: () => background.settled(),
    async stop() {
      evidence.stop()
      await frameLog.stop()
      await classifier?.stop()
      await background.settled()
    },
  }
}
