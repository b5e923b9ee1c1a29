// In CI the properties run on the same cases each time, so that a failure comes from the change.
import fc from 'fast-check';

if (process.env.CI) fc.configureGlobal({ seed: 20261122 });
