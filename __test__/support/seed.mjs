// In CI the properties are tried on the same cases each time, so that what is red there is red because of the change.
import fc from 'fast-check';

if (process.env.CI) fc.configureGlobal({ seed: 20261122 });
