import { becomeNextRelease } from './next-release.ts';

becomeNextRelease();
