import { agUi } from './ag-ui.mjs';
import { describeProvider } from './describe-provider.mjs';

describeProvider(agUi);
