/** Never sends "ready", and exits only when the parent disconnects. */
process.on('disconnect', () => process.exit(0))
process.on('message', () => undefined)
